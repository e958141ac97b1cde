import { useMemo, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { diffPieces, type Passage, withoutDistance } from './diff-pieces.ts'

/** Draws the differences. */
export default function TextDiffBody(props: {
  readonly before: string
  readonly after: string
  readonly lang?: string
}) {
  const { before, after } = props
  const { diff } = useLanguage().words
  const passages = useMemo(() => withoutDistance(diffPieces(before, after)), [before, after])
  if (before === after) return <p className="quiet">{diff.none}</p>
  return (
    <div className="text-diff" lang={props.lang}>
      {passages.map((passage, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same place is the same piece
        <PassageView key={i} passage={passage} />
      ))}
    </div>
  )
}

function PassageView({ passage }: { readonly passage: Passage }) {
  const { words, formats } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { kind, text, hidden } = passage
  if (kind === 'new') return <ins>{text}</ins>
  if (kind === 'gone') return <del>{text}</del>
  if (hidden === undefined || isOpen) return <span>{text}</span>
  return (
    <>
      <span>{hidden.head}</span>
      <span className="diff-hidden">
        <Button kind="quiet" size="small" onPress={() => setOpen(true)}>
          {words.diff.hidden(formats.number(hidden.lines))}
        </Button>
      </span>
      <span>{hidden.tail}</span>
    </>
  )
}
