/** Stands where something is being loaded. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div role="status" className="svc-sheet svc-skeleton">
      <span className="svc-hidden">{label}</span>
      {['short', 'long', 'middle'].map((width) => (
        <span key={width} className={`svc-bar svc-bar-${width}`} />
      ))}
    </div>
  )
}
