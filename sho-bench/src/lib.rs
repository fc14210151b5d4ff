//! Tournaments and studies of the Himalayan games Sho and Sholo Guti.
