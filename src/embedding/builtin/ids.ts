/** Id of the model that adds up the vectors of word pieces, in microseconds. */
export const STATIC_ID = 'builtin:static-de-en-v2:256'

/** Id of the model that reads a text as a whole, in milliseconds. */
export const CONTEXTUAL_ID = 'builtin:contextual-eu-v1:384'

/** Id of the vectors that hold both models' vectors of a text beside each other. */
export const BOTH_ID = 'builtin:contextual-eu-v1+static-de-en-v2:512'
