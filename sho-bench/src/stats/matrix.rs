//! Small dense matrices: what a fit of a few dozen parameters needs, written out.

/// A square matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    pub(crate) fn from_fn(size: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        let entries = (0..size * size).map(|index| entry(index / size, index % size)).collect();
        Self { size, entries }
    }

    /// By rows.
    pub(crate) fn into_entries(self) -> Vec<f64> {
        self.entries
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.size + column] += value;
    }

    /// Adds another matrix of this size.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (entry, more) in self.entries.iter_mut().zip(&other.entries) {
            *entry += more;
        }
    }

    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.entries.chunks_exact(self.size).map(|row| dot(row, vector)).collect()
    }

    /// `self · other · self` for symmetric matrices.
    pub(crate) fn sandwich(&self, other: &Self) -> Self {
        let product = |left: &Self, right: &Self| {
            Self::from_fn(self.size, |row, column| {
                (0..self.size).map(|i| left.get(row, i) * right.get(i, column)).sum()
            })
        };
        product(&product(self, other), self)
    }

    /// A power of a symmetric matrix, by its eigenvalues; those that are not positive count as a hair above zero.
    pub(crate) fn symmetric_power(&self, power: f64) -> Self {
        let (values, vectors) = self.eigen();
        let least = values.iter().copied().fold(0.0, f64::max) * 1e-14;
        let powers: Vec<f64> =
            values.iter().map(|&value| libm::pow(value.max(least), power)).collect();
        Self::from_fn(self.size, |row, column| {
            (0..self.size).map(|i| vectors.get(row, i) * powers[i] * vectors.get(column, i)).sum()
        })
    }

    /// The eigenvalues of a symmetric matrix, and their vectors as columns, by Jacobi's rotations (Golub and Van Loan,
    /// Matrix Computations, section 8.5): slow for large matrices, exact to the last bits for small ones.
    fn eigen(&self) -> (Vec<f64>, Self) {
        let size = self.size;
        let mut a = self.clone();
        let mut vectors = Self::from_fn(size, |row, column| if row == column { 1.0 } else { 0.0 });
        let square = |a: &Self, own: bool| -> f64 {
            let pairs = (0..size).flat_map(|i| (0..size).map(move |j| (i, j)));
            pairs.filter(|(i, j)| (i == j) == own).map(|(i, j)| a.get(i, j) * a.get(i, j)).sum()
        };
        // It converges quadratically, within ten rounds for any matrix of a few dozen rows.
        for _ in 0..50 {
            if square(&a, false) <= 1e-30 * square(&a, true) {
                break;
            }
            for p in 0..size {
                for q in p + 1..size {
                    a.rotate(p, q, &mut vectors);
                }
            }
        }
        ((0..size).map(|i| a.get(i, i)).collect(), vectors)
    }

    /// Turns the plane of two axes so that the entry between them is zero.
    fn rotate(&mut self, p: usize, q: usize, vectors: &mut Self) {
        let between = self.get(p, q);
        if between == 0.0 {
            return;
        }
        let ratio = (self.get(q, q) - self.get(p, p)) / (2.0 * between);
        let sign = if ratio < 0.0 { -1.0 } else { 1.0 };
        let tangent = sign / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        let size = self.size;
        let turn = |entries: &mut Vec<f64>, one: usize, other: usize| {
            let (x, y) = (entries[one], entries[other]);
            entries[one] = cosine * x - sine * y;
            entries[other] = sine * x + cosine * y;
        };
        for i in 0..size {
            turn(&mut self.entries, i * size + p, i * size + q);
        }
        for i in 0..size {
            turn(&mut self.entries, p * size + i, q * size + i);
        }
        for i in 0..size {
            turn(&mut vectors.entries, i * size + p, i * size + q);
        }
    }

    /// Cholesky's factor of a symmetric, positive definite matrix, `L` with `L L^T = self`. Nothing where a pivot is
    /// not above `least` times its diagonal entry: the matrix is then not definite, or as good as.
    pub(crate) fn cholesky(&self, least: f64) -> Option<Cholesky> {
        let mut factor = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let done: f64 =
                    (0..column).map(|i| factor.get(row, i) * factor.get(column, i)).sum();
                let rest = self.get(row, column) - done;
                if row == column {
                    let definite = rest > least * self.get(row, row) && rest > 0.0;
                    if !definite {
                        return None;
                    }
                    factor.entries[row * self.size + row] = rest.sqrt();
                } else {
                    factor.entries[row * self.size + column] = rest / factor.get(column, column);
                }
            }
        }
        Some(Cholesky(factor))
    }
}

pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// Solves equations with the matrix that it is the factor of.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky(Matrix);

impl Cholesky {
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(factor) = self;
        let size = factor.size;
        let mut x = right.to_vec();
        for row in 0..size {
            for i in 0..row {
                x[row] -= factor.get(row, i) * x[i];
            }
            x[row] /= factor.get(row, row);
        }
        self.solve_transposed(&x)
    }

    /// Solves the equations with the transposed factor alone, `L^T x = right`.
    pub(crate) fn solve_transposed(&self, right: &[f64]) -> Vec<f64> {
        let Self(factor) = self;
        let mut x = right.to_vec();
        for row in (0..factor.size).rev() {
            for i in row + 1..factor.size {
                x[row] -= factor.get(i, row) * x[i];
            }
            x[row] /= factor.get(row, row);
        }
        x
    }

    pub(crate) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.entries[row * size + column] = value;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix =
            Matrix::from_fn(4, |i, j| if i == j { 5.0 } else { 1.0 / (1.0 + i as f64 + j as f64) });
        let inverse = matrix.cholesky(0.0).unwrap().inverse();
        for i in 0..4 {
            let row: Vec<f64> = (0..4).map(|j| matrix.get(i, j)).collect();
            for (j, entry) in inverse.times(&row).into_iter().enumerate() {
                assert!((entry - f64::from(i == j)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn powers_of_a_matrix_multiply_as_numbers_do() {
        let matrix =
            Matrix::from_fn(
                5,
                |i, j| if i == j { 3.0 + i as f64 } else { 1.0 / (1.0 + (i + j) as f64) },
            );
        let half = matrix.symmetric_power(0.5);
        for i in 0..5 {
            let unit: Vec<f64> = (0..5).map(|j| f64::from(u8::from(i == j))).collect();
            let (whole, twice) = (matrix.times(&unit), half.times(&half.times(&unit)));
            let back = matrix.symmetric_power(-1.0).times(&whole);
            for j in 0..5 {
                assert!((whole[j] - twice[j]).abs() < 1e-13);
                assert!((back[j] - unit[j]).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        assert!(Matrix::from_fn(3, |i, j| (i * j) as f64 + 1.0).cholesky(1e-12).is_none());
    }
}
