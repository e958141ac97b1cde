export const JSON_TYPE = 'application/json'

/** Partial change of a resource as JSON (RFC 7396). */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json'

export const NDJSON_TYPE = 'application/x-ndjson'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
