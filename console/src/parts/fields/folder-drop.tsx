import { FolderUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type DirectoryDropItem, type DropItem, DropZone, type FileDropItem, FileTrigger } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'

/** A file with its path from the chosen folder on, with slashes. */
export interface ChosenFile {
  readonly path: string
  readonly file: File
}

/** Takes files and whole folders: dropped, pasted or chosen. Leaves out hidden files. */
export function FolderDrop(props: {
  readonly label: string
  readonly help?: ReactNode
  readonly onFiles: (files: readonly ChosenFile[]) => void
}) {
  const { files: words } = useWords()
  const [isReading, setReading] = useState(false)
  const choose = (list: FileList | null): void =>
    props.onFiles(
      [...(list ?? [])]
        .map((file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }))
        .filter(({ path }) => !path.split('/').some(isHidden)),
    )
  const take = async (items: readonly DropItem[]): Promise<void> => {
    setReading(true)
    // All files are requested at once: the browser forgets dropped files at the end of this turn.
    const files = await Promise.all(
      items.map((item) => (item.kind === 'text' ? Promise.resolve([]) : filesIn(item, ''))),
    )
    setReading(false)
    props.onFiles(files.flat())
  }
  return (
    <DropZone className="file-drop" aria-label={props.label} onDrop={({ items }) => void take(items)}>
      <FolderUp className="icon" size={24} strokeWidth={1.5} aria-hidden />
      <span className="row">
        <FileTrigger allowsMultiple onSelect={choose}>
          <Button isPending={isReading}>{words.choose}</Button>
        </FileTrigger>
        <FileTrigger acceptDirectory onSelect={choose}>
          <Button isPending={isReading}>{words.chooseFolder}</Button>
        </FileTrigger>
        <span className="quiet">{words.drop}</span>
      </span>
      {props.help === undefined ? null : <span className="help">{props.help}</span>}
    </DropZone>
  )
}

const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

async function filesIn(item: FileDropItem | DirectoryDropItem, folder: string): Promise<ChosenFile[]> {
  if (isHidden(item.name)) return []
  const path = folder === '' ? item.name : `${folder}/${item.name}`
  if (item.kind === 'file') return [{ path, file: await item.getFile() }]
  const files: ChosenFile[] = []
  for await (const entry of item.getEntries()) files.push(...(await filesIn(entry, path)))
  return files
}
