import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { openVisual } from '../../../markdown/visual.ts'
import { cleanPaste } from './clean-paste.ts'
import { looksLikeMarkdown } from './looks-like-markdown.ts'

/** HTML with one of these says more than the plain text beside it. */
const STRUCTURE = /<(?:h[1-6]|table|img|li|a|strong|em|b|i|blockquote)[\s>]/i
/** The editor's own clipboard. */
const OWN = 'data-pm-slice'

/**
 * What is pasted: inside code as plain text; the editor's own content as it is; text that was written as Markdown as
 * what it means; everything else as far as Markdown can hold it. Pictures as files are refused.
 * @param onLostPictures is told how many were left out
 */
export const paste = (onLostPictures: (count: number) => void) =>
  Extension.create({
    name: 'entryPaste',
    addProseMirrorPlugins() {
      const { editor } = this
      const filesOf = (data: DataTransfer | null): number =>
        [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/')).length
      return [
        new Plugin({
          props: {
            transformPastedHTML: (html) => {
              if (html.includes(OWN)) return html
              const clean = cleanPaste(html)
              if (clean.lostPictures > 0) onLostPictures(clean.lostPictures)
              return clean.html
            },
            handlePaste: (view, event) => {
              const data = event.clipboardData
              const [html, text] = ['text/html', 'text/plain'].map((type) => data?.getData(type) ?? '') as [
                string,
                string,
              ]
              const files = filesOf(data)
              if (files > 0 && html === '' && text === '') {
                onLostPictures(files)
                return true
              }
              const isInCode = view.state.selection.$from.parent.type.spec.code === true
              if (isInCode || html.includes(OWN) || STRUCTURE.test(html) || !looksLikeMarkdown(text)) return false
              return editor.commands.insertContent([...openVisual(text).nodes])
            },
            handleDrop: (_view, event) => {
              const files = filesOf(event.dataTransfer)
              if (files === 0) return false
              event.preventDefault()
              onLostPictures(files)
              return true
            },
          },
        }),
      ]
    },
  })
