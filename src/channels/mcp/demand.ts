import type { Caller } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import { forbidden } from '../../platform/faults.ts'
import { HttpRefusal } from '../../platform/http/errors.ts'
import { MCP_SCOPES } from './challenge.ts'
import { paramFaults } from './message-params.ts'
import { badParams, BATCH, NO_MESSAGE, NO_SUBSCRIPTIONS } from './refusals.ts'
import { mayCall, type Tool } from './tool.ts'

const READ: readonly Scope[] = ['knowledge:read']

/**
 * Checks a message before the SDK handles it, while HTTP can still refuse it by status and header. The refusal tells a
 * caller without the needed scopes which ones to ask for.
 * @throws Fault forbidden; HttpRefusal when the body is not one valid message
 */
export function demand(caller: Caller, body: unknown, tools: readonly Tool[]): void {
  if (body === undefined) throw new HttpRefusal(NO_MESSAGE)
  if (Array.isArray(body)) throw new HttpRefusal(BATCH)
  if (!tools.some((tool) => mayCall(caller, tool))) {
    throw forbidden(['header', 'authorization'], `This needs one of the scopes ${MCP_SCOPES.join(', ')}`, MCP_SCOPES)
  }
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  if (method === 'subscriptions/listen') throw new HttpRefusal(NO_SUBSCRIPTIONS)
  const faults = paramFaults(method, body as object)
  if (faults !== null) throw new HttpRefusal(badParams(faults[0]))
  const needed = neededBy(method, params?.name, tools)
  if (needed.every((scope) => caller.scopes.has(scope))) return
  // A client asks for exactly the scopes in the answer, so the answer also names those that the client has already.
  const present = MCP_SCOPES.filter((scope) => caller.scopes.has(scope))
  const ceiling: Scope[] = caller.ceiling === 'public' ? [] : [`visibility:${caller.ceiling}`]
  const all = [...new Set([...present, ...ceiling, ...needed])]
  throw forbidden(['header', 'authorization'], `This needs the scope ${needed.join(' and ')}`, all)
}

function neededBy(method: unknown, name: unknown, tools: readonly Tool[]): readonly Scope[] {
  if (method === 'tools/call') return tools.find((tool) => tool.name === name)?.scopes ?? []
  return typeof method === 'string' && /^(?:resources|prompts)\//.test(method) ? READ : []
}
