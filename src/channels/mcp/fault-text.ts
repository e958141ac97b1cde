import type { Fault, FaultDetail } from '../../platform/faults.ts'

/** The tool of a refused call, and the names of its fields. */
interface Place {
  readonly tool: string
  readonly fields: readonly string[]
}

/** Writes a refusal so that an assistant can act on it: the field, its fault, and what to do. */
export function faultText(fault: Fault, place: Place): string {
  const lines = fault.details.map((detail) => lineOf(detail, fault, place))
  return [`${place.tool} was refused:`, ...lines.map((line) => `- ${line}`)].join('\n')
}

function lineOf(detail: FaultDetail, fault: Fault, place: Place): string {
  const field = fieldOf(detail.loc)
  const advice = adviceOn(detail, field, fault, place)
  const fact = isPrivateLevel(detail) ? 'personal cannot be given here' : detail.msg
  return `${field === '' ? '' : `${field}: `}${fact}.${advice === '' ? '' : ` ${advice}`}`
}

/**
 * Tells whether a call would have made an entry a private note. The API names its endpoint for that; MCP has a tool.
 */
function isPrivateLevel({ loc, type }: FaultDetail): boolean {
  return type === 'value_error' && loc[1] === 'visibility'
}

/** Returns the path of a field in the tool's input. */
function fieldOf([part, ...path]: readonly string[]): string {
  if (part === 'header') return path[0] === 'if-match' ? 'expected_version' : ''
  return path.join('.')
}

function adviceOn(detail: FaultDetail, field: string, fault: Fault, { tool, fields }: Place): string {
  const first = field.split('.', 1)[0]
  if (isPrivateLevel(detail)) return 'Use create_personal_note for a private note.'
  if (tool === 'search_knowledge') {
    if (first === 'query' && /^(?:missing|string_too_short)$/.test(detail.type))
      return 'To see entries without a question use list_entries.'
    if (first === 'offset' && detail.type === 'less_than_equal') return 'Narrow the search, or use list_entries.'
  }
  switch (detail.type) {
    case 'extra_forbidden':
      return field === first ? `The fields are: ${fields.join(', ')}.` : 'Leave it out.'
    case 'missing':
      return first === 'category_id' ? 'Call again with an id from list_categories.' : 'Call again with this field.'
    case 'not_found':
      return first === 'product_id'
        ? 'Use an id from search_products.'
        : 'Use an id from search_knowledge or list_entries. Entries this credential may not see are not found either.'
    case 'reference_not_found':
      return first === 'category_id'
        ? 'Use an id from list_categories.'
        : 'Use an id that exists, or leave the field out.'
    case 'immutable_field':
      return 'Make an entry of the other type with create_entry, and delete this one with delete_entry.'
    case 'precondition_failed':
      return 'Somebody changed the entry. Read it with get_entry, decide again, and call again with its version.'
    case 'cursor_invalid':
      return 'Use next_cursor of the last answer unchanged, or leave it out to start again.'
    case 'rate_limited':
    case 'unavailable':
    case 'storage_full':
    case 'search_capacity':
      return `Nothing was changed. ${fault.retryAfterSeconds === null ? 'Try again later.' : `Try again in ${fault.retryAfterSeconds} s.`}`
    case 'storage_damaged':
      return 'Do not try again. Tell the user that the operator has to look after the service.'
    case 'outcome_unknown':
      return 'Look whether it is done, with the tool that reads it, before you call again.'
    case 'quota_exceeded':
      return fault.retryAfterSeconds === null
        ? 'Nothing was changed. Tell the user: the organisation has used up what it may have.'
        : `Nothing was changed. Try again in ${fault.retryAfterSeconds} s.`
    case 'forbidden':
      return fault.scopes.length === 0
        ? 'Do not try again: this credential is not allowed to do this.'
        : `This needs ${fault.scopes.join(' and ')}: ask the user to grant it, or choose a lower level.`
    case 'value_error':
      return ''
    default:
      return 'Correct the field and call again.'
  }
}
