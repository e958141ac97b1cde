import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { openVisual } from '../../../markdown/visual.ts'
import { cleanPaste } from './clean-paste.ts'
import { looksLikeMarkdown } from './looks-like-markdown.ts'

/** Matches HTML that has more to say than the plain text beside it. */
const STRUCTURE = /<(?:h[1-6]|table|img|li|a|strong|em|b|i|blockquote)[\s>]/i
/** Attribute of HTML from the editor's own clipboard. */
const OWN = 'data-pm-slice'

/**
 * Makes the extension that pastes: inside code as plain text; the editor's own content unchanged; text that was written
 * as Markdown as formatted text; all other content as far as Markdown can hold it. Pictures as files are refused.
 * @param onLostPictures called with the number of pictures that were left out
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
