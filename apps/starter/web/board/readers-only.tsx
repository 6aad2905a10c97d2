export function ReadersOnly({ role }: { role: string }) {
  return (
    <p className="mt-4 rounded-xl border border-line bg-sheet p-5">
      You can read the board, and not post: the role “{role}” lacks the permission{' '}
      <code>notice:write</code>, which admins have.
    </p>
  )
}
