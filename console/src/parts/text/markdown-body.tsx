import type { ComponentProps } from 'react'
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { headingId } from './headings.ts'
import { Picture } from './picture.tsx'

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
  img: ({ src, alt = '', title }) => <Picture src={typeof src === 'string' ? src : ''} alt={alt} title={title} />,
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
