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
    this.children = new ChildTable()
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

const FIRST_BITS = 12

/**
 * A hash table of children by node and UTF-16 unit: open addressing with linear probing, at most half full. It doubles
 * when it is, since pieces share most of their nodes: room for all their characters would be four times as much.
 */
class ChildTable {
  #bits = FIRST_BITS
  #size = 0
  /** Node, unit and child of each slot. A child of 0 marks a free slot, because the root is no node's child. */
  #nodes = new Int32Array(2 ** FIRST_BITS)
  #units = new Uint16Array(2 ** FIRST_BITS)
  #children = new Int32Array(2 ** FIRST_BITS)

  /** Returns the child of a node for a UTF-16 unit; -1 if there is none. */
  get(node: number, unit: number): number {
    const child = this.#children[this.#slot(node, unit)]
    return child === 0 ? -1 : child
  }

  /** Returns the child of a node for a UTF-16 unit; if there is none, adds `added` as the child. */
  getOrAdd(node: number, unit: number, added: number): number {
    const slot = this.#slot(node, unit)
    if (this.#children[slot] !== 0) return this.#children[slot]
    this.#put(slot, node, unit, added)
    if (++this.#size * 2 > this.#children.length) this.#double()
    return added
  }

  #put(slot: number, node: number, unit: number, child: number): void {
    this.#nodes[slot] = node
    this.#units[slot] = unit
    this.#children[slot] = child
  }

  #double(): void {
    const [nodes, units, children] = [this.#nodes, this.#units, this.#children]
    this.#bits++
    this.#nodes = new Int32Array(2 ** this.#bits)
    this.#units = new Uint16Array(2 ** this.#bits)
    this.#children = new Int32Array(2 ** this.#bits)
    for (let i = 0; i < children.length; i++) {
      if (children[i] !== 0) this.#put(this.#slot(nodes[i], units[i]), nodes[i], units[i], children[i])
    }
  }

  #slot(node: number, unit: number): number {
    // Fibonacci hashing: the high bits of a product with 2^32 / golden ratio are well mixed.
    const mask = this.#children.length - 1
    let slot = Math.imul(Math.imul(node, 0x9e3779b1) + unit, 0x85ebca6b) >>> (32 - this.#bits)
    while (this.#children[slot] !== 0 && (this.#nodes[slot] !== node || this.#units[slot] !== unit)) {
      slot = (slot + 1) & mask
    }
    return slot
  }
}
