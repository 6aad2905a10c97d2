export { ConsoleLayout as default } from '@svc/web/console/next'
