//! Numbers as tables, pictures and pages show them.

/// How many digits behind the point show a number of this standard error: two of the error.
pub(crate) fn digits(error: Option<f64>) -> usize {
    match error {
        Some(error) if error > 0.0 => {
            [10.0, 1.0, 0.1, 0.01, 0.001].iter().take_while(|&&least| error < least).count().max(1)
        }
        _ => 2,
    }
}

/// A number with its sign, a true minus; a zero has none.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    format!("{value:+.digits$}").replace('-', "−")
}

/// A number, with a true minus.
pub(crate) fn plain(value: f64, digits: usize) -> String {
    format!("{value:.digits$}").replace('-', "−")
}

/// A whole number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, as in `1 game` and `2,000 games`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let thing = match (number, thing.strip_suffix('y')) {
        (1, _) => thing.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        _ => format!("{thing}s"),
    };
    format!("{} {thing}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_two_digits_of_their_error_and_true_signs() {
        assert_eq!(signed(-46.712, digits(Some(1.3))), "−46.7");
        assert_eq!(signed(0.0123, digits(Some(0.004))), "+0.0123");
        assert_eq!(signed(121.43, digits(Some(25.0))), "+121.4");
        assert_eq!((signed(0.0, 3), plain(-0.5, 1)), ("0".to_owned(), "−0.5".to_owned()));
        assert_eq!(counted(1, "policy"), "1 policy");
        assert_eq!(counted(1_234_567, "policy"), "1,234,567 policies");
        let texts = [1, 0, 999, 1000, 12_345_678].map(|number| counted(number, "game"));
        assert_eq!(texts, ["1 game", "0 games", "999 games", "1,000 games", "12,345,678 games"]);
    }
}
