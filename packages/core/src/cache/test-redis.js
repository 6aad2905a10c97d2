import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
/** The server that this machine has and a test may kill. */
export const redisProgram = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
/** Starts a Redis of one's own on a free port: it may be killed, paused and started again. */
export async function startTestRedis(...flags) {
    const directory = await mkdtemp(join(tmpdir(), 'svc-redis-'));
    const port = await freePort();
    let server = await launch(port, [...flags, '--dir', directory]);
    return {
        port,
        url: `redis://127.0.0.1:${port}`,
        pause: () => server.kill('SIGSTOP'),
        resume: () => server.kill('SIGCONT'),
        kill: () => end(server),
        async restart() {
            server = await launch(port, [...flags, '--dir', directory]);
        },
        async stop() {
            await end(server);
            await rm(directory, { recursive: true });
        },
    };
}
async function launch(port, flags) {
    const address = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
    const server = spawn(redisProgram ?? '', [...address, ...flags], { stdio: 'ignore' });
    // A test run that is interrupted leaves no server behind.
    const killer = () => server.kill('SIGKILL');
    process.once('exit', killer);
    server.once('exit', () => process.off('exit', killer));
    while (!(await isListening(port)))
        await wait(20);
    return server;
}
function isListening(port) {
    return new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1');
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
        socket.once('connect', () => socket.destroy());
    });
}
async function end(server) {
    if (server.exitCode !== null || server.signalCode !== null)
        return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
}
async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    await once(server, 'close');
    return typeof address === 'object' && address ? address.port : 0;
}
