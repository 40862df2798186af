"""Drawing shared by the open sets: pen, plan, rock, floors, decoration and glyphs."""
