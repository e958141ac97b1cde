/** The vocabulary as a trie. Node 0 is the root. Where no piece ends at a node, its id is -1. */
export class PieceTrie {
  readonly children: ChildTable
  /** By node, the id of the piece that ends there and may start a word. */
  readonly initialIds: Int32Array
  /** By node, the id of the piece that ends there and can only continue a word. */
  readonly continuingIds: Int32Array

  /** @param continuation beginning of the pieces that can only continue a word */
  constructor(pieces: readonly string[], continuation: string) {
    const nodesMax = pieces.reduce((sum, piece) => sum + piece.length, 1)
    const initialIds = new Int32Array(nodesMax).fill(-1)
    const continuingIds = new Int32Array(nodesMax).fill(-1)
    this.children = new ChildTable(nodesMax)
    let nodes = 1
    for (let id = 0; id < pieces.length; id++) {
      const continues = pieces[id].startsWith(continuation) && pieces[id].length > continuation.length
      const piece = continues ? pieces[id].slice(continuation.length) : pieces[id]
      let node = 0
      for (let i = 0; i < piece.length; i++) {
        const child = this.children.getOrAdd(node, piece.charCodeAt(i), nodes)
        if (child === nodes) nodes++
        node = child
      }
      const ids = continues ? continuingIds : initialIds
      if (ids[node] < 0) ids[node] = id
    }
    this.initialIds = initialIds.slice(0, nodes)
    this.continuingIds = continuingIds.slice(0, nodes)
  }
}

/** A hash table of children by node and UTF-16 unit: open addressing with linear probing, at most half full. */
class ChildTable {
  readonly #mask: number
  readonly #shift: number
  /** Node, unit and child of each slot. A child of 0 marks a free slot, because the root is no node's child. */
  readonly #nodes: Int32Array
  readonly #units: Uint16Array
  readonly #children: Int32Array

  constructor(entriesMax: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(entriesMax * 2)))
    this.#mask = 2 ** bits - 1
    this.#shift = 32 - bits
    this.#nodes = new Int32Array(2 ** bits)
    this.#units = new Uint16Array(2 ** bits)
    this.#children = new Int32Array(2 ** bits)
  }

  /** Returns the child of a node for a UTF-16 unit; -1 if there is none. */
  get(node: number, unit: number): number {
    const child = this.#children[this.#slot(node, unit)]
    return child === 0 ? -1 : child
  }

  /** Returns the child of a node for a UTF-16 unit; if there is none, adds `added` as the child. */
  getOrAdd(node: number, unit: number, added: number): number {
    const slot = this.#slot(node, unit)
    if (this.#children[slot] !== 0) return this.#children[slot]
    this.#nodes[slot] = node
    this.#units[slot] = unit
    this.#children[slot] = added
    return added
  }

  #slot(node: number, unit: number): number {
    // Fibonacci hashing: the high bits of a product with 2^32 / golden ratio are well mixed.
    let slot = Math.imul(Math.imul(node, 0x9e3779b1) + unit, 0x85ebca6b) >>> this.#shift
    while (this.#children[slot] !== 0 && (this.#nodes[slot] !== node || this.#units[slot] !== unit)) {
      slot = (slot + 1) & this.#mask
    }
    return slot
  }
}
