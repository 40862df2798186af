// What stands before the service worker's text as it is served.
declare const VERSION: string;
declare const FILES: string[];
declare const OFFLINE: Record<string, string>;
