export function ReadersOnly() {
  return (
    <p className="mt-4 rounded-xl border border-line bg-sheet p-5">
      Your role can read notices, but not post them.
    </p>
  )
}
