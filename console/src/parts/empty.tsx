/** Says that a list is empty, and how to fill it. */
export function Empty({ title, help }: { readonly title: string; readonly help?: string }) {
  return (
    <div className="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {help === undefined ? null : <p>{help}</p>}
    </div>
  )
}
