import { parseSync } from 'oxc-parser'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** A pause of some time: one of `node:timers/promises`, under the names that tests give it, or a promise of a timer. */
const PAUSE = /^(?:sleep|pause|delay|setTimeout)\(|^new Promise\b[^]*\bsetTimeout\b/
const FUNCTION = /Function/

/**
 * Loops of a file that pause until something is so, and would go on for ever where it never is. A `for` with a beginning is
 * none: it counts, or looks for some time.
 * @returns each as path and line
 */
export function waitingLoopsOf(path: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    if (isOpenLoop(node) && pauses(node, text)) found.push(`${path}:${text.slice(0, node.start).split('\n').length}`)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync(path, text).program)
  return found
}

function isOpenLoop(node: Node): boolean {
  if (node.type === 'ForStatement') return (node as Node & { init: Node | null }).init === null
  return node.type === 'WhileStatement' || node.type === 'DoWhileStatement'
}

/** Whether a loop itself pauses, and not a function within it. */
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
