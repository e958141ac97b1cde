import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createSite, type Site, sitesQuery, updateSite } from '../../api/sites.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { languagesToChoose } from '../../parts/fields/languages-to-choose.ts'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useEdits } from '../../parts/editing/use-edits.ts'
import { slugOf } from './site-slug.ts'
import { useGroupsWords } from './words.ts'

const FIELDS = ['name', 'slug', 'domain', 'site_type', 'language', 'is_default']

/** Asks for the fields of a site. @param props.site site to change; null for a new one, which `onDone` gets */
export function SiteForm(props: {
  readonly site: Site | null
  readonly onDone?: (created: Site) => void
  readonly onClose: () => void
}) {
  const { site, onClose } = props
  const { kinds, site: text, ...words } = useGroupsWords()
  const { words: shared, language: ownLanguage, formats } = useLanguage()
  const queries = useQueryClient()
  const { values, edits, edit } = useEdits({
    name: site?.name ?? '',
    slug: site?.slug ?? '',
    domain: site?.domain ?? '',
    site_type: site?.site_type ?? ('website' as const),
    language: site?.language ?? ownLanguage,
    is_default: site?.is_default ?? false,
  })
  const [isTried, setTried] = useState(false)
  // A new site's short name follows its name until the person types another one.
  const slug = site === null ? (edits.slug ?? slugOf(values.name)) : values.slug
  const isSlug = /^[a-z0-9-]{1,63}$/.test(slug)
  const save = useMutation({
    mutationFn: (): Promise<Site> => {
      const domain = values.domain.trim() === '' ? null : values.domain.trim()
      if (site === null) return createSite({ ...values, slug, domain })
      return updateSite(site.id, { ...edits, ...(edits.domain === undefined ? {} : { domain }) })
    },
    onSuccess: async (stored) => {
      await queries.invalidateQueries({ queryKey: sitesQuery.queryKey })
      sayDone(site === null ? kinds.sites.created(stored.name) : words.saved)
      if (site === null) props.onDone?.(stored)
      onClose()
    },
  })
  const submit = (): void => {
    setTried(true)
    if (values.name.trim() !== '' && isSlug) save.mutate()
  }
  return (
    <Dialog
      title={site === null ? kinds.sites.createTitle : kinds.sites.editTitle}
      onClose={onClose}
      isBusy={save.isPending}
    >
      <Form
        names={FIELDS}
        error={save.error}
        say={(path, { type }) => (path === 'slug' && type === 'conflict' ? text.slugTaken : null)}
        onSubmit={submit}
      >
        <TextField
          name="name"
          label={words.name}
          value={values.name}
          onChange={(name) => edit({ name })}
          maxLength={200}
          fault={isTried && values.name.trim() === '' ? words.nameNeeded : null}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus anyway
          autoFocus
        />
        <TextField
          name="slug"
          label={text.slug}
          help={text.slugHelp}
          value={slug}
          onChange={(typed) => edit({ slug: typed })}
          maxLength={63}
          autoComplete="off"
          fault={isTried && !isSlug ? text.slugNeeded : null}
        />
        <TextField
          name="domain"
          label={text.domain}
          help={text.domainHelp}
          value={values.domain}
          onChange={(domain) => edit({ domain })}
          maxLength={253}
          isRequired={false}
        />
        <Select
          name="site_type"
          label={text.type}
          choices={(Object.keys(text.types) as Site['site_type'][]).map((id) => ({ id, name: text.types[id] }))}
          chosen={values.site_type}
          onChoose={(id) => edit({ site_type: id })}
        />
        <Select
          name="language"
          label={text.language}
          choices={languagesToChoose(values.language, ownLanguage).map((id) => ({
            id,
            name: formats.languageName(id),
          }))}
          chosen={values.language}
          onChoose={(language) => edit({ language })}
        />
        {site?.is_default === true ? null : (
          <Checkbox isSelected={values.is_default} onChange={(isOn) => edit({ is_default: isOn })}>
            {text.makeDefault}
          </Checkbox>
        )}
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={save.isPending}>
            {shared.cancel}
          </Button>
          <Button kind="main" type="submit" isPending={save.isPending}>
            {site === null ? kinds.sites.create : words.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
