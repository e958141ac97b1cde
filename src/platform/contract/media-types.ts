export const JSON_TYPE = 'application/json'

export const NDJSON_TYPE = 'application/x-ndjson'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
