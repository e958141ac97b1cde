const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i

/**
 * Writes a date of a feed as RFC 3339. A day without a time becomes its first or last moment; a time without a zone is
 * UTC. Any other text is returned unchanged, so that the check refuses it.
 */
export function dateTimeOf(text: string, edge: 'first' | 'last'): string {
  const match = DATE.exec(text.trim())
  if (match === null) return text
  const [, day, minute, seconds = ':00', zone = 'Z'] = match
  const time = minute === undefined ? { first: '00:00:00', last: '23:59:59.999' }[edge] : `${minute}${seconds}`
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  return `${day}T${time}${offset}`
}

/** Returns the two ends of an ISO 8601 interval, as in Google's feeds. Either end may be missing. */
export function intervalOf(text: string): { readonly from?: string; readonly until?: string } {
  const [from, until = ''] = text.split('/', 3).map((part) => part.trim())
  return {
    ...(from === '' ? {} : { from: dateTimeOf(from, 'first') }),
    ...(until === '' ? {} : { until: dateTimeOf(until, 'last') }),
  }
}
