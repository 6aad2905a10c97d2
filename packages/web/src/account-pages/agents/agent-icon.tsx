/** A plug, so that a list is quick to read. */
export function AgentIcon() {
  return (
    <span className="svc-tile">
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="svc-icon"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M9 3v5m6-5v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0ZM12 17v4" />
      </svg>
    </span>
  )
}
