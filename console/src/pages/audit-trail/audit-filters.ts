/** Filters in the address. Days are those of the person's own calendar, both included. */
export interface AuditFilters {
  readonly person?: string
  readonly credential?: string
  readonly action?: string
  readonly kind?: string
  readonly thing?: string
  readonly source?: string
  readonly outcome?: 'done' | 'refused'
  readonly from?: string
  readonly to?: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const WORD = /^[a-z_]{1,50}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const ID_MAX = 2_000

/** Reads the filters of an address. Leaves out values that make no sense, so that a broken link still shows records. */
export function readFilters(search: Record<string, unknown>): AuditFilters {
  const textOf = (name: string): string =>
    ['string', 'number'].includes(typeof search[name]) ? String(search[name]) : ''
  const fitting = (name: keyof AuditFilters, form: RegExp) => (form.test(textOf(name)) ? { [name]: textOf(name) } : {})
  const short = (name: keyof AuditFilters) => {
    const text = textOf(name)
    return text !== '' && text.length <= ID_MAX ? { [name]: text } : {}
  }
  return {
    ...fitting('person', UUID),
    ...short('credential'),
    ...fitting('action', WORD),
    ...fitting('kind', WORD),
    ...short('thing'),
    ...fitting('source', WORD),
    ...fitting('outcome', /^(done|refused)$/),
    ...(isDay(textOf('from')) ? { from: textOf('from') } : {}),
    ...(isDay(textOf('to')) ? { to: textOf('to') } : {}),
  }
}

const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(text))

/** Filters by their names over HTTP. */
interface Query {
  readonly user_id?: string
  readonly credential_id?: string
  readonly action?: string
  readonly resource_type?: string
  readonly resource_id?: string
  readonly source?: string
  readonly outcome?: 'done' | 'refused'
  readonly from?: string
  readonly to?: string
}

/** Returns the filters as the service takes them. */
export function queryOf(filters: AuditFilters): Query {
  const { person, credential, action, kind, thing, source, outcome, from, to } = filters
  // A range that ends before it begins is read the other way round.
  const [first, last] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to]
  const query: Query = {
    user_id: person,
    credential_id: credential,
    action,
    resource_type: kind,
    resource_id: thing,
    source,
    outcome,
    from: first === undefined ? undefined : midnight(first, 0),
    to: last === undefined ? undefined : midnight(last, 1),
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

/** Returns the ISO time at which a day begins in the person's time zone. @param later days to add to the day */
function midnight(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
