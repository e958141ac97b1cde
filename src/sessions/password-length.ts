/** Long enough that guessing online is hopeless; how it is made up is up to the person (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_LENGTH_MIN = 12
/** Longer ones would only cost hashing time. */
export const PASSWORD_LENGTH_MAX = 200
