import { diffArrays, diffWordsWithSpace } from 'diff'

export interface Piece {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/**
 * Length of texts up to which words are compared, in characters; beyond it, only whole lines are: the words of a text
 * rewritten from end to end take seconds.
 */
const WORDS_MAX = 20_000

/** Compares two texts: by lines, and within changed lines by words. @returns pieces in the order of reading */
export function diffPieces(before: string, after: string): readonly Piece[] {
  const [old, fresh] = [before, after].map((text) => text.split(/(?<=\n)/)) as [string[], string[]]
  const pieces: Piece[] = []
  const changes = diffArrays(old, fresh)
  for (let i = 0; i < changes.length; i++) {
    const change = changes[i]!
    const next = changes[i + 1]
    const text = change.value.join('')
    if (change.removed && next?.added) {
      pieces.push(...byWords(text, next.value.join('')))
      i++
    } else pieces.push({ kind: kindOf(change), text })
  }
  return pieces
}

function byWords(before: string, after: string): readonly Piece[] {
  const whole: readonly Piece[] = [
    { kind: 'gone', text: before },
    { kind: 'new', text: after },
  ]
  if (before.length + after.length > WORDS_MAX) return whole
  return diffWordsWithSpace(before, after).map((change) => ({ kind: kindOf(change), text: change.value }))
}

const kindOf = ({ added, removed }: { added: boolean; removed: boolean }): Piece['kind'] =>
  added ? 'new' : removed ? 'gone' : 'same'

/** Lines of unchanged text shown around a change. */
const CONTEXT = 2

export interface Passage extends Piece {
  /** Lines that are left out in the middle of an unchanged piece, and the text before and after them. */
  readonly hidden?: { readonly lines: number; readonly head: string; readonly tail: string }
}

/** Returns the pieces with the middle of long unchanged ones left out. */
export function withoutDistance(pieces: readonly Piece[]): readonly Passage[] {
  return pieces.map((piece, i) => {
    if (piece.kind !== 'same') return piece
    const lines = piece.text.split(/(?<=\n)/)
    const [first, last] = [i === 0 ? 0 : CONTEXT, i === pieces.length - 1 ? 0 : CONTEXT]
    const hidden = lines.length - first - last
    if (hidden < 3) return piece
    const head = lines.slice(0, first).join('')
    const tail = lines.slice(lines.length - last).join('')
    return { ...piece, hidden: { lines: hidden, head, tail: last === 0 ? '' : tail } }
  })
}
