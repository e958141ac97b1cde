import type { ComponentProps } from 'react'
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { headingId } from './headings.ts'

type HeadingProps = ComponentProps<'h2'> & ExtraProps

/** Draws a heading below the page's own, with the id that a table of contents leads to. */
function Heading({ node, children, level }: HeadingProps & { readonly level: 2 | 3 | 4 }) {
  const Tag = `h${level}` as const
  return (
    <Tag id={headingId(node?.position?.start.line ?? 0)} tabIndex={-1}>
      {children}
    </Tag>
  )
}

/** Matches an address on this host outside the API, whose answers are no pictures and may have an effect. */
const OWN_PICTURE = /^\/(?![/\\]|api\/)/

const COMPONENTS: Components = {
  h1: (props) => <Heading {...props} level={2} />,
  h2: (props) => <Heading {...props} level={2} />,
  h3: (props) => <Heading {...props} level={3} />,
  h4: (props) => <Heading {...props} level={4} />,
  h5: (props) => <Heading {...props} level={4} />,
  h6: (props) => <Heading {...props} level={4} />,
  a: ({ href, title, children }) => (
    <a href={href} title={title} rel="noopener noreferrer">
      {children}
    </a>
  ),
  // The policy allows pictures of the service alone, so another one is a link to it.
  img: ({ src, alt = '', title }) =>
    typeof src === 'string' && OWN_PICTURE.test(src) ? (
      <img src={src} alt={alt} title={title} />
    ) : (
      <a href={typeof src === 'string' ? src : undefined} rel="noopener noreferrer">
        {alt === '' ? String(src) : alt}
      </a>
    ),
  pre: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled by keyboard too
    <pre tabIndex={0}>{children}</pre>
  ),
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keyboard too
    <div className="reading-table" tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
}

/** Draws the text. */
export default function MarkdownBody({ text }: { readonly text: string }) {
  return (
    <div className="reading hyphens">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={COMPONENTS} skipHtml>
        {text}
      </ReactMarkdown>
    </div>
  )
}
