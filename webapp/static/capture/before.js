// The page with nothing but the way to bring a photo: it hears of other devices that photograph the same cards.
import { must } from "../elements.js";
import { watchOthers } from "./others.js";

watchOthers(must(document, "form[data-capture]", HTMLFormElement).dataset);
