import { publicApiUrl } from '../env.ts'

export function SiteHeader() {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-4 text-sm">
      <a href="/" className="flex items-center gap-2.5 font-semibold tracking-tight">
        <Mark />
        Svc starter
      </a>
      <nav aria-label="API" className="flex gap-5 text-faded">
        <ApiLink path="/_core/openapi.json">OpenAPI</ApiLink>
        <ApiLink path="/_core/health">Health</ApiLink>
      </nav>
    </header>
  )
}

function ApiLink({ path, children }: { path: string; children: string }) {
  return (
    <a
      href={`${publicApiUrl}${path}`}
      className="py-1 underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
    >
      {children}
    </a>
  )
}

function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 11h14M9 16h14M9 21h8"
        className="stroke-on-accent"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
  )
}
