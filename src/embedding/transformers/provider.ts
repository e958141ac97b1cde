import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Provider } from '../provider.ts'
import { createTransformersEmbedder } from './transformers.ts'

export const transformers: Provider = {
  needs: ['model'],
  create({ model, dimensions }, reader) {
    const folder = resolve(model!)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Error('EMBEDDING_MODEL must be an existing folder while EMBEDDING_PROVIDER is transformers')
    }
    // The last part of the path names the model, so that stored vectors stay valid where the folder is moved.
    return createTransformersEmbedder({ folder, name: basename(folder), dimensions }, reader)
  },
  /** Returns settings for a model in a folder beside the configured one. */
  settingsOf(settings, model) {
    return { ...settings, model: join(dirname(resolve(settings.model!)), model) }
  },
}
