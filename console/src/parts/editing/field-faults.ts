import { ApiFault, type FaultDetail } from '../../api/client.ts'
import type { Words } from '../../i18n/words.ts'

/** Faults by the name of their field, as the `validationErrors` of React Aria's `Form` take them. */
type FieldFaults = Readonly<Record<string, string[]>>

/** Text of a form for a fault at a path in the body; null leaves the fault to the words of all forms. */
export type OwnText = (path: string, detail: FaultDetail) => string | null

interface SortedFaults {
  readonly fields: FieldFaults
  /** Faults at no field of the form, for a summary above it. */
  readonly others: readonly string[]
}

const NO_FAULTS: SortedFaults = { fields: {}, others: [] }

/**
 * Puts the faults of a 422 beside their fields, in the person's language. Fields are named by their path in the body,
 * such as `metadata.steps.0.title`; a fault inside a field that is one control belongs to that control.
 * @param names names of the form's fields
 * @param own texts of the form for some faults, also for those of a 409
 */
export function fieldFaults(error: unknown, names: readonly string[], words: Words, own?: OwnText): SortedFaults {
  if (!(error instanceof ApiFault)) return NO_FAULTS
  const ownText = (detail: FaultDetail): string | null => own?.(pathOf(detail), detail) ?? null
  const hasOwnText = error.status === 409 && error.details.some((detail) => ownText(detail) !== null)
  if (error.status !== 422 && !hasOwnText) return NO_FAULTS
  const fields: Record<string, string[]> = {}
  const others: string[] = []
  for (const detail of error.details) {
    const path = pathOf(detail)
    const text = ownText(detail) ?? textOf(detail, words)
    const name = names
      .filter((each) => path === each || path.startsWith(`${each}.`))
      .sort((one, other) => other.length - one.length)[0]
    if (name === undefined) others.push(path === '' || ownText(detail) !== null ? text : `${path}: ${text}`)
    else if (fields[name]?.includes(text) !== true) fields[name] = [...(fields[name] ?? []), text]
  }
  return { fields, others }
}

/** Returns the faults that the service found, each with its place, in the person's language. */
export const faultLines = (details: readonly FaultDetail[], words: Words): string[] =>
  details.map((detail) => {
    const path = pathOf(detail)
    return path === '' ? textOf(detail, words) : `${path}: ${textOf(detail, words)}`
  })

/** Returns the place of a fault without the part of the request (body, query …) that it is in. */
const pathOf = ({ loc }: FaultDetail): string =>
  loc.slice(['body', 'query', 'path', 'header'].includes(String(loc[0])) ? 1 : 0).join('.')

function textOf({ type, msg }: FaultDetail, { fieldFaults: texts }: Words): string {
  // The service's text is English; only the number in it is shown.
  const number = Number(/-?\d+(?:\.\d+)?/.exec(msg)?.[0] ?? Number.NaN)
  switch (type) {
    case 'missing':
      return texts.missing
    case 'string_too_short':
      return texts.tooShort(number)
    case 'string_too_long':
      return texts.tooLong(number)
    case 'too_short':
      return texts.tooFew(number)
    case 'too_long':
      return texts.tooMany(number)
    case 'greater_than_equal':
      return texts.atLeast(number)
    case 'less_than_equal':
      return texts.atMost(number)
    case 'int_type':
    case 'int_parsing':
    case 'int_from_float':
    case 'float_type':
    case 'float_parsing':
      return texts.number
    case 'url_parsing':
      return texts.address
    case 'datetime_parsing':
      return texts.time
    case 'enum':
    case 'literal_error':
      return texts.choice
    case 'language_parsing':
      return texts.language
    case 'not_unique':
      return texts.twice
    default:
      return texts.other
  }
}
