import { useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { type ChosenFile, FolderDrop } from '../../parts/fields/folder-drop.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import type { ImportOptions } from './read-item.ts'
import { useImportWords } from './words.ts'

const LEVELS = ['internal', 'public', 'community', 'restricted'] as const
/** Choice by which known entries keep their present level; new ones are internal. */
const KEEP = 'keep'

/** Asks for the files, and for values that they do not state themselves. */
export function FilesForm(props: {
  readonly onChosen: (files: readonly ChosenFile[], options: ImportOptions, ignored: number) => void
}) {
  const words = useImportWords()
  const { visibility: levels } = useWords()
  const [visibility, setVisibility] = useState<(typeof LEVELS)[number] | typeof KEEP>(KEEP)
  const [folder, setFolder] = useState('import')
  const [hasNoImportable, setHasNoImportable] = useState(false)
  const isFolderNameValid = folder.trim() !== '' && !/[/\\]|^\.{1,2}$/.test(folder.trim())
  const take = (all: readonly ChosenFile[]): void => {
    const files = all.filter(({ path }) => /\.(?:md|markdown|jsonl|ndjson)$/i.test(path))
    setHasNoImportable(files.length === 0)
    if (files.length === 0 || !isFolderNameValid) return
    const options = { visibility: visibility === KEEP ? undefined : visibility, folder: folder.trim() }
    props.onChosen(files, options, all.length - files.length)
  }
  return (
    <div className="stack import-choice">
      <div className="side-by-side">
        <Select
          label={words.visibility}
          choices={[
            { id: KEEP, name: words.keep, help: words.keepHelp },
            ...LEVELS.map((id) => ({ id, name: levels[id].name, help: levels[id].who })),
          ]}
          chosen={visibility}
          onChoose={setVisibility}
        />
        <TextField
          label={words.folder}
          help={words.folderHelp}
          value={folder}
          onChange={setFolder}
          fault={isFolderNameValid ? null : words.folderFault}
        />
      </div>
      <FolderDrop label={words.drop} help={words.help} onFiles={take} />
      {hasNoImportable ? (
        <Notice tone="warning" role="alert">
          <p>{words.nothing}</p>
          <p>{words.nothingHelp}</p>
        </Notice>
      ) : null}
    </div>
  )
}
