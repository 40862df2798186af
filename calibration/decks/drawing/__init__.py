"""Drawing library shared by the open sets: pen, floor plan, rock, floors, decoration and glyphs."""
