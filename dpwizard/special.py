"""The special functions of scipy, imported without the parts of numpy that scipy asks for by name and never uses.

0.1 s to import all the same: functions import this module when they need it.
"""

from dpwizard.put_off import NUMPY, spare

with spare(NUMPY):
    from scipy.special import betainc, betaincc, betaincinv, betaln, erfcx, erfinv, log_ndtr, ndtr, ndtri, xlog1py, xlogy

__all__ = ["betainc", "betaincc", "betaincinv", "betaln", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri", "xlog1py", "xlogy"]
