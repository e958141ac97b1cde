import { HeapRelease } from '../../platform/threads/heap-release.ts'
import { ThreadPort } from '../../platform/threads/thread-port.ts'
import { EmbeddingNonsense } from '../embedder.ts'
import { meanOf } from '../vectors.ts'
import { ContextualModel } from './model.ts'
import type { ReaderThreadProtocol } from './protocol.ts'
import { type ReadingCall, ReadingTurns } from './reading-turns.ts'

const port = new ThreadPort<ReaderThreadProtocol>()
let model: Promise<ContextualModel> | null = null
const turns = new ReadingTurns(read)

port.listen(
  (order) => {
    if (order.kind === 'read') turns.add(order)
    else turns.drop(order.call)
  },
  // A run has ended when the thread hears this, and what waits is of no use any more.
  () => Promise.resolve(),
)

/** Loads the model. Its parts are read in a burst, of which the tokenizer's file leaves most behind as garbage. */
async function load(): Promise<ContextualModel> {
  const loaded = await ContextualModel.load(port.data)
  HeapRelease.start()
  return loaded
}

/** Reads the texts of a call, one run of the model in each step. */
async function* read({ call, purpose, texts }: ReadingCall): AsyncGenerator<void, void> {
  let loaded: ContextualModel
  try {
    loaded = await (model ??= load())
  } catch (error) {
    model = null
    port.tell({ kind: 'unloadable', reason: (error as Error).message })
    return
  }
  const { dimensions } = loaded
  const vectors = new Float32Array(texts.length * dimensions)
  let tokens = 0
  try {
    for (const [i, text] of texts.entries()) {
      const tokenized = loaded.tokenize(text, purpose)
      tokens += tokenized.tokens
      const parts: Float32Array[] = []
      for (const window of tokenized.windows) {
        parts.push(await loaded.run(window))
        yield
      }
      vectors.set(meanOf(parts) ?? [], i * dimensions)
    }
  } catch (error) {
    const { message } = error as Error
    port.tell({ kind: 'failed', call, message, isNonsense: error instanceof EmbeddingNonsense })
    return
  }
  port.tell({ kind: 'read', call, vectors, tokens }, [vectors.buffer])
}
