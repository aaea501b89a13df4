"""The ground on which everything stands: errors, values, arithmetic on the safe side, files, languages."""
