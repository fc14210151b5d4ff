//! Random vectors, the same on every platform.

use sho_core::Stream;

/// A number in (0, 1) of 53 bits from two words.
fn unit(words: &mut Stream) -> f64 {
    let bits = u64::from(words.word()) << 21 | u64::from(words.word()) >> 11;
    // The middle of one of 2^53 equal parts, so that it is neither 0 nor 1.
    (bits as f64 + 0.5) / (1u64 << 53) as f64
}

/// Independent standard normal numbers (Box and Muller 1958).
pub(super) fn normals(count: usize, words: &mut Stream) -> Vec<f64> {
    let mut numbers = Vec::with_capacity(count + 1);
    while numbers.len() < count {
        let length = (-2.0 * libm::log(unit(words))).sqrt();
        let angle = 2.0 * std::f64::consts::PI * unit(words);
        numbers.push(length * libm::cos(angle));
        numbers.push(length * libm::sin(angle));
    }
    numbers.truncate(count);
    numbers
}

/// A sign for each dimension, each equally likely.
pub(super) fn signs(count: usize, words: &mut Stream) -> Vec<f64> {
    (0..count).map(|_| if words.below(2) == 0 { -1.0 } else { 1.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_moments_of_normal_numbers() {
        let numbers = normals(200_001, &mut Stream::new(1, "test", 0));
        let moment =
            |power: i32| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / numbers.len() as f64;
        // Each within five of its standard errors.
        let error = |variance: f64| 5.0 * (variance / numbers.len() as f64).sqrt();
        assert!(moment(1).abs() < error(1.0));
        assert!((moment(2) - 1.0).abs() < error(2.0));
        assert!(moment(3).abs() < error(15.0));
        assert!((moment(4) - 3.0).abs() < error(96.0));
    }
}
