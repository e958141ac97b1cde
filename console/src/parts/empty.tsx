/** Says that a list has nothing in it, and what would put something there. */
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
