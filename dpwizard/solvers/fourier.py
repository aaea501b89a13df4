"""scipy's Fourier transforms, imported as dpwizard/special.py imports its special functions."""

from dpwizard.put_off import NUMPY, spare

with spare(NUMPY):
    from scipy.fft import irfft, next_fast_len, rfft

__all__ = ["irfft", "next_fast_len", "rfft"]
