import type { EndedAccess } from '../../identity/administration/ended-access.ts'
import { printable } from './printable.ts'

/** Says in a command's help what ends for good with a user, and what keeps it. */
export const HAND_OVER_HELP =
  'Hand over beforehand what has to go on, to another administrator: in the console, or by\n' +
  'POST /api/knowledge/users/{user_id}/access/hand-over.'

const ADVICE =
  'What is still needed has to be made anew. What is handed over to another administrator beforehand goes on.'

/** Returns the lines that name what ended for good with a user; empty when nothing did. */
export function endedInWords({ keys, clients, narrowedKeys, lockedClients }: EndedAccess): string {
  const named = (kind: string) => (each: { readonly id: string; readonly name: string }) =>
    `  ${kind} ${printable(each.name)} (${printable(each.id)})`
  const ended = [...keys.map(named('key')), ...clients.map(named('application'))]
  const sections: [string, readonly string[]][] = [
    ['These ended for good, and come back with no role and no enabling:', ended.length === 0 ? [] : [...ended, ADVICE]],
    ['These keys go on, and have lost the permission knowledge:prompts for good:', narrowedKeys.map(named('key'))],
    [
      'These go on, and the user can no longer change them (their registration token ended):',
      lockedClients.map(named('application')),
    ],
  ]
  const lines = sections.flatMap(([heading, items]) => (items.length === 0 ? [] : [heading, ...items]))
  return lines.map((line) => `${line}\n`).join('')
}
