const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Tells whether a value of an address is an id. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)
