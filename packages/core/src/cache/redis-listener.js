/** Under the 5 s in which a lost subscription is to be back, with the 2 s that a silent connection is given. */
const pingMillis = 2000;
/** Passes on what arrives on a connection of its own, and subscribes again whenever that connection comes back. */
export function listen(redis, channels, prefix) {
    redis.on('message', (channel, message) => {
        channels.deliver(channel.slice(prefix.length), message);
    });
    let isListening = true;
    redis.on('close', () => {
        isListening = false;
    });
    redis.on('ready', () => {
        const names = channels.names.map((name) => prefix + name);
        const subscribed = names.length > 0 ? redis.subscribe(...names) : Promise.resolve();
        subscribed.then(() => {
            isListening = true;
        }, () => redis.disconnect(true));
    });
    // A listener sends nothing by itself, and so would never learn that the other side is gone.
    const ping = setInterval(() => void redis.ping().catch(() => { }), pingMillis);
    ping.unref();
    return {
        get isListening() {
            return isListening;
        },
        async subscribe(channel, handler) {
            const remove = channels.add(channel, handler);
            try {
                await redis.subscribe(prefix + channel);
            }
            catch (error) {
                remove();
                throw error;
            }
            return async () => {
                if (remove())
                    await redis.unsubscribe(prefix + channel).catch(() => { });
            };
        },
        close() {
            clearInterval(ping);
            redis.disconnect();
        },
    };
}
