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

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.size + column] += value;
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
        for row in (0..size).rev() {
            for i in row + 1..size {
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
    fn a_singular_matrix_has_no_factor() {
        assert!(Matrix::from_fn(3, |i, j| (i * j) as f64 + 1.0).cholesky(1e-12).is_none());
    }
}
