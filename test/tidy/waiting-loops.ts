import { parseSync } from 'oxc-parser'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/**
 * Matches a pause of some time: one of `node:timers/promises`, under the names that tests give it, or a promise of a
 * timer.
 */
const PAUSE = /^(?:sleep|pause|delay|setTimeout)\(|^new Promise\b[^]*\bsetTimeout\b/
const FUNCTION = /Function/

/**
 * Returns the loops of a file that pause until a condition holds, and would go on for ever if it never does. A `for`
 * with an initial statement is no such loop: it counts, or looks for a limited time.
 * @returns each as path and line
 */
export function waitingLoopsOf(path: string, text: string): string[] {
  const places: string[] = []
  const visit = (node: Node): void => {
    if (isOpenLoop(node) && pauses(node, text)) places.push(`${path}:${text.slice(0, node.start).split('\n').length}`)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync(path, text).program)
  return places
}

function isOpenLoop(node: Node): boolean {
  if (node.type === 'ForStatement') return (node as Node & { init: Node | null }).init === null
  return node.type === 'WhileStatement' || node.type === 'DoWhileStatement'
}

/** Tells whether a loop itself pauses, rather than a function within it. */
function pauses(node: Node, text: string): boolean {
  return childrenOf(node).some((child) => {
    if (FUNCTION.test(child.type)) return false
    if (child.type !== 'AwaitExpression') return pauses(child, text)
    const { start, end } = (child as Node & { argument: Node }).argument
    return PAUSE.test(text.slice(start, end)) || pauses(child, text)
  })
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}
