/** A plug, for whoever looks down a list. */
export function AgentIcon() {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-paper text-faded">
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="size-5 fill-none stroke-current"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M9 3v5m6-5v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0ZM12 17v4" />
      </svg>
    </span>
  )
}
