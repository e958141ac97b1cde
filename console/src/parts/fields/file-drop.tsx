import { Upload } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { DropZone, FileTrigger } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'

/**
 * Takes files: dropped, pasted or chosen.
 * @param props.accepts endings of file names, such as ".md"
 * @param props.help what happens to the files
 */
export function FileDrop(props: {
  readonly label: string
  readonly help?: ReactNode
  readonly accepts: readonly string[]
  readonly isSingle?: boolean
  readonly onFiles: (files: readonly File[]) => void
}) {
  const { files: words } = useWords()
  const [refused, setRefused] = useState<string | null>(null)
  const take = (files: readonly File[]): void => {
    const fits = (file: File): boolean => props.accepts.some((ending) => file.name.toLowerCase().endsWith(ending))
    setRefused(files.find((file) => !fits(file))?.name ?? null)
    const fitting = files.filter(fits)
    if (fitting.length > 0) props.onFiles(props.isSingle === true ? fitting.slice(0, 1) : fitting)
  }
  return (
    <div className="stack">
      <DropZone
        className="file-drop"
        aria-label={props.label}
        onDrop={(event) => {
          const dropped = event.items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []))
          void Promise.all(dropped).then(take)
        }}
      >
        <Upload className="icon" size={24} strokeWidth={1.5} aria-hidden />
        <span className="row">
          <FileTrigger
            allowsMultiple={props.isSingle !== true}
            acceptedFileTypes={[...props.accepts]}
            onSelect={(list) => take([...(list ?? [])])}
          >
            <Button>{words.choose}</Button>
          </FileTrigger>
          <span className="quiet">{words.drop}</span>
        </span>
        {props.help === undefined ? null : <span className="help">{props.help}</span>}
      </DropZone>
      {refused === null ? null : (
        <p className="field-fault" role="alert">
          {words.refused(refused)}
        </p>
      )}
    </div>
  )
}
