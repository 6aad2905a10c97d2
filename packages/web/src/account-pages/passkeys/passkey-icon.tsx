/** A key, so that a list is quick to read. */
export function PasskeyIcon() {
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
        <path d="M15.5 3.5a5 5 0 1 1-2.2 9.5L10 16.3V19H7.3v2.5H3.5v-4l7-7a5 5 0 0 1 5-7ZM16.5 7.5v.01" />
      </svg>
    </span>
  )
}
