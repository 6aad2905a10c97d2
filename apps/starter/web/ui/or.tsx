/** Between ways of which one is enough. */
export function Or() {
  return (
    <p
      aria-hidden="true"
      className="flex items-center gap-3 text-faded text-sm before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line"
    >
      or
    </p>
  )
}
