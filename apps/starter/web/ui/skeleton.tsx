/** Stands where something is being loaded. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div
      role="status"
      className="flex flex-col gap-5 rounded-xl border border-line bg-sheet p-5 sm:p-6"
    >
      <span className="sr-only">{label}</span>
      {['w-2/5', 'w-4/5', 'w-3/5'].map((width) => (
        <span key={width} className={`h-4 animate-pulse rounded bg-line ${width}`} />
      ))}
    </div>
  )
}
