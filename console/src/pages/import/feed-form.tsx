import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sitesQuery } from '../../api/sites.ts'
import { FileDrop } from '../../parts/fields/file-drop.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { SiteChoice, siteNamed } from '../../parts/fields/site-choice.tsx'
import type { FeedJob } from './use-feed.ts'
import { useImportWords } from './words.ts'

const ENDINGS = ['.csv', '.tsv', '.jsonl', '.ndjson', '.json', '.xml', '.gz']
const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le'] as const

/** Asks for the feed, its site, and the meaning of products that it lacks. */
export function FeedForm({ onChosen }: { readonly onChosen: (job: FeedJob) => void }) {
  const { feed: words } = useImportWords()
  const sites = useQuery(sitesQuery)
  const [slug, setSlug] = useState<string | undefined>()
  const [sync, setSync] = useState<'delta' | 'full'>('delta')
  const [encoding, setEncoding] = useState<(typeof ENCODINGS)[number]>('utf-8')
  return (
    <QueryView query={sites}>
      {(all) => {
        const site = siteNamed(all, slug)
        if (site === null) return <p>{words.noSite}</p>
        return (
          <div className="stack import-choice">
            <SiteChoice label={words.site} sites={all} chosen={site} onChoose={setSlug} />
            <div className="side-by-side">
              <Select
                label={words.sync}
                help={words.syncs[sync].help}
                choices={(['delta', 'full'] as const).map((id) => ({ id, ...words.syncs[id] }))}
                chosen={sync}
                onChoose={setSync}
              />
              <Select
                label={words.encoding}
                help={words.encodingHelp}
                choices={ENCODINGS.map((id) => ({ id, name: words.encodings[id] }))}
                chosen={encoding}
                onChoose={setEncoding}
              />
            </div>
            <FileDrop
              label={words.drop}
              help={words.help}
              accepts={ENDINGS}
              isSingle
              onFiles={([file]) => {
                if (file !== undefined) onChosen({ file, site, isFull: sync === 'full', encoding })
              }}
            />
          </div>
        )
      }}
    </QueryView>
  )
}
