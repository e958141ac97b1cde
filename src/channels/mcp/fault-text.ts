import type { Fault, FaultDetail } from '../../platform/faults.ts'

/** Names of a tool's fields and the tool, for advice. */
interface Place {
  readonly tool: string
  readonly fields: readonly string[]
}

/** What refused a call, in words that an assistant can act on: the field, what is wrong with it, what to do. */
export function faultText(fault: Fault, place: Place): string {
  const lines = fault.details.map((detail) => lineOf(detail, fault, place))
  return [`${place.tool} was refused:`, ...lines.map((line) => `- ${line}`)].join('\n')
}

function lineOf(detail: FaultDetail, fault: Fault, place: Place): string {
  const field = fieldOf(detail.loc)
  const advice = adviceOn(detail, field, fault, place)
  return `${field === '' ? '' : `${field}: `}${detail.msg}.${advice === '' ? '' : ` ${advice}`}`
}

/** Where the fault is, as the tool's input has it. */
function fieldOf([part, ...path]: readonly string[]): string {
  if (part === 'header') return path[0] === 'if-match' ? 'expected_version' : ''
  return path.join('.')
}

function adviceOn({ type }: FaultDetail, field: string, fault: Fault, { fields }: Place): string {
  const first = field.split('.', 1)[0]
  switch (type) {
    case 'extra_forbidden':
      return field === first ? `The fields are: ${fields.join(', ')}.` : 'Leave it out.'
    case 'missing':
      return first === 'category_id' ? 'Call again with an id that list_categories answered.' : 'Call again with it.'
    case 'not_found':
      return first === 'product_id'
        ? 'Take an id that search_products answered.'
        : 'Take an id that search_knowledge or list_entries answered; what this credential may not see is not found either.'
    case 'reference_not_found':
      return first === 'category_id'
        ? 'Take an id that list_categories answered.'
        : 'Take an id that exists, or leave it out.'
    case 'immutable_field':
      return 'Create a new entry of the other type and delete this one.'
    case 'precondition_failed':
      return 'It was changed meanwhile: read it with get_entry, decide again, and call again with its version.'
    case 'cursor_invalid':
      return 'Take next_cursor of the last answer as it is, or leave it out to begin again.'
    case 'rate_limited':
    case 'unavailable':
    case 'storage_full':
    case 'search_capacity':
      return `Nothing was changed. ${fault.retryAfterSeconds === null ? 'Try again later.' : `Try again in ${fault.retryAfterSeconds} s.`}`
    case 'forbidden':
      return fault.scopes.length === 0
        ? 'Do not try again: this credential cannot do it.'
        : `It needs ${fault.scopes.join(' and ')}: ask the user to grant it, or choose a lower level.`
    case 'value_error':
      return first === 'visibility' ? 'Take create_personal_note for a private note.' : ''
    default:
      return 'Correct it and call again.'
  }
}
