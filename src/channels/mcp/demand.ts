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
 * What is settled before the message is taken up, since only now can HTTP say it: a caller whose scopes allow nothing
 * here, or not what the message asks for, is told which it needs, and may come back with more.
 * @throws Fault forbidden, or HttpRefusal for what is no single message
 */
export function demand(caller: Caller, body: unknown, tools: readonly Tool[]): void {
  if (body === undefined) throw new HttpRefusal(NO_MESSAGE)
  if (Array.isArray(body)) throw new HttpRefusal(BATCH)
  if (!tools.some((tool) => mayCall(caller, tool))) {
    throw forbidden(['header', 'authorization'], `One of the scopes ${MCP_SCOPES.join(', ')} is needed`, MCP_SCOPES)
  }
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  if (method === 'subscriptions/listen') throw new HttpRefusal(NO_SUBSCRIPTIONS)
  const faults = paramFaults(method, body as object)
  if (faults !== null) throw new HttpRefusal(badParams(faults[0]))
  const needed = neededBy(method, params?.name, tools)
  if (needed.every((scope) => caller.scopes.has(scope))) return
  // A client asks for exactly what it is told, so what it has already must be named as well.
  const kept = MCP_SCOPES.filter((scope) => caller.scopes.has(scope))
  const ceiling: Scope[] = caller.ceiling === 'public' ? [] : [`visibility:${caller.ceiling}`]
  const all = [...new Set([...kept, ...ceiling, ...needed])]
  throw forbidden(['header', 'authorization'], `The scope ${needed.join(' and ')} is needed for this`, all)
}

function neededBy(method: unknown, name: unknown, tools: readonly Tool[]): readonly Scope[] {
  if (method === 'tools/call') return tools.find((tool) => tool.name === name)?.scopes ?? []
  return typeof method === 'string' && /^(?:resources|prompts)\//.test(method) ? READ : []
}
